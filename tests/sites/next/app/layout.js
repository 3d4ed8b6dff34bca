import "../../site.css";
import { Search } from "./search.js";

export default function Layout({ children }) {
  return <html lang="en"><body><Search />{children}</body></html>;
}
