export default function (config) {
  config.addGlobalData("layout", "page.html");
  config.addPassthroughCopy({ "node_modules/@docsearch/css/dist/style.css": "docsearch/style.css" });
  config.addPassthroughCopy({ "node_modules/@docsearch/js/dist/umd/index.js": "docsearch/index.js" });
}
