import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist", "out", "src/generated", ".vscode-test"] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked.map((config) => ({ ...config, files: ["**/*.ts"] })),
  {
    files: ["**/*.ts"],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "no-control-regex": "off", // terminals speak in control characters
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
  {
    files: ["media/*.js", "test/page/*.js"],
    languageOptions: { globals: { acquireVsCodeApi: "readonly", document: "readonly", globalThis: "readonly", window: "readonly" } },
  },
  { files: ["**/*.mjs"], languageOptions: { globals: { process: "readonly", URL: "readonly" } } },
);
