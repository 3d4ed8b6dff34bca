import DefaultTheme from "vitepress/theme";
import "../../../../site.css";

if (typeof window !== "undefined") import("../../../search.gen.js");

export default DefaultTheme;
