import "../../../site.css";
import "../../search.gen.js";
