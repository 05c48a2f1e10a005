import preact from "@preact/preset-vite";
import { defineConfig } from "vite";

/** Hosts write their own HTML, so the entry's names are fixed: panel.js, panel.css, and what they load beside them. */
export default defineConfig({
  base: "./",
  plugins: [preact({ devToolsEnabled: false, prefreshEnabled: false })],
  build: {
    outDir: "../../wave_bridge/web/assets",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    rollupOptions: {
      input: "src/main.tsx",
      output: {
        entryFileNames: "panel.js",
        chunkFileNames: "chunks/[name].js",
        assetFileNames: (asset) => (asset.names[0]?.endsWith(".css") ? "panel.css" : "[name][extname]"),
      },
    },
  },
});
