/* HBase's pages request a file of this name. Everything is in jquery.min.js and tab.js. */
