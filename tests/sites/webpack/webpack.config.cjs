// Nothing for knarr; the css rule is the site's own.
module.exports = {
  mode: "production",
  context: __dirname,
  entry: { app: "./app.js" },
  output: { path: `${__dirname}/out`, publicPath: "/" },
  module: { rules: [{ test: /\.css$/, use: ["style-loader", "css-loader"] }] },
  performance: { hints: false },
};
