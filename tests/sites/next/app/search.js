"use client";

import { useEffect } from "react";

export function Search() {
  useEffect(() => {
    import("../search.gen.js");
  }, []);
  return <knarr-search from="/search/" base="/" />;
}
