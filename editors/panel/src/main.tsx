import { options, render } from "preact";
import "./style/theme.css";
import "./style/panel.css";
import "./style/blocks.css";
import { App } from "./view/app";

// One drawing a frame, however many deltas came in it; a hidden page has no frames.
options.debounceRendering = (draw) => { if (document.hidden) setTimeout(draw, 100); else requestAnimationFrame(draw); };

const root = document.getElementById("root");
if (root) render(<App />, root);
