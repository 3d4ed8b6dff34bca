import "./search.gen.js";
