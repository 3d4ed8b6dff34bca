if (typeof window !== "undefined") import("./search.gen.js");
