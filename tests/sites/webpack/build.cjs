const webpack = require("webpack");
webpack(require("./webpack.config.cjs"), (error, stats) => {
  if (error ?? stats.hasErrors()) {
    console.error(error ?? stats.toString({ all: false, errors: true }));
    process.exitCode = 1;
  }
});
