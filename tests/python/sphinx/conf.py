project = "Harbour"
extensions = ["knarr.sphinx"]
html_theme = "alabaster"
