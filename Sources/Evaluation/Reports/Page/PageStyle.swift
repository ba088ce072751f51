/// The style of every page: one column, light or dark as the reader's system is, from 320 pixels of width on.
///
/// What is drawn in colour says the same by a word, a sign or a pattern. Text has a contrast of at least 4.5 to 1.
let pageStyle = #"""
  :root {
    color-scheme: light dark;
    --ground: #ffffff; --panel: #f5f6f8; --ink: #15191f; --muted: #56606d; --line: #dde1e7; --accent: #1a5fb4;
    --good: #11663a; --good-ground: #e6f4eb; --bad: #a8201a; --bad-ground: #fcebea; --view: #e9ecf0;
    --kind-0: #1f6fb2; --kind-1: #b86e00; --kind-2: #0a8a68; --kind-3: #b0568c; --kind-rest: #98a1ad;
    --hatch: rgb(255 255 255 / .38);
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --ground: #101317; --panel: #191e24; --ink: #e7eaee; --muted: #a3adb9; --line: #2c343d; --accent: #8cbcff;
      --good: #7bd7a2; --good-ground: #12281c; --bad: #ff9d94; --bad-ground: #33181a; --view: #1f252c;
      --kind-0: #5aa2e0; --kind-1: #e5a633; --kind-2: #3dbd97; --kind-3: #d98abb; --kind-rest: #6d7783;
      --hatch: rgb(0 0 0 / .38);
    }
  }
  * { box-sizing: border-box; }
  html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
  body {
    margin: 0; background: var(--ground); color: var(--ink);
    font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  }
  main, footer { max-width: 72rem; margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem); }
  main { padding-top: clamp(1.25rem, 4vw, 3rem); }
  footer { padding-bottom: 3rem; color: var(--muted); }
  footer h2 { color: var(--ink); }
  h1, h2, h3 { line-height: 1.25; overflow-wrap: anywhere; text-wrap: balance; }
  h1 { font-size: clamp(1.5rem, 4.5vw, 2.2rem); letter-spacing: -.015em; margin: 0; }
  h2 { font-size: 1.25rem; margin: 3rem 0 .75rem; letter-spacing: -.005em; }
  h2.model { font-size: 1.6rem; margin: 0; }
  h3 { font-size: 1.05rem; margin: 0; }
  section.model + section.model { margin-top: 4rem; padding-top: 2.5rem; border-top: 3px solid var(--line); }
  p { margin: .5rem 0; max-width: 75ch; overflow-wrap: anywhere; }
  a { color: var(--accent); text-underline-offset: .15em; }
  code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: .9em; }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  caption.unseen { position: absolute; }
  .skip { position: absolute; left: -100vw; top: 0; background: var(--ground); padding: .75rem 1rem; z-index: 2; }
  .skip:focus { left: 0; }
  .title p { color: var(--muted); margin: .35rem 0 0; }
  .title strong { color: var(--ink); font-weight: 600; }
  .detail, .hint { color: var(--muted); font-size: .9rem; }

  .verdict {
    max-width: none; margin: 1.5rem 0 1rem; padding: .8rem 1.1rem; border-radius: .6rem;
    background: var(--panel); border-left: .4rem solid var(--muted);
  }
  .verdict.passed { background: var(--good-ground); border-color: var(--good); }
  .verdict.failed { background: var(--bad-ground); border-color: var(--bad); }
  .verdict strong { font-size: 1.15rem; margin-right: .4rem; }
  .mark { font-weight: 600; white-space: nowrap; }
  .mark.passed { color: var(--good); }
  .mark.failed { color: var(--bad); }
  .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr)); gap: .8rem; margin: 0; }
  .card { background: var(--panel); border-radius: .6rem; padding: .8rem 1.1rem; min-width: 0; }
  .card dt { color: var(--muted); font-size: .9rem; }
  .card dd { margin: 0; overflow-wrap: anywhere; }
  .card .value { font-size: 1.75rem; font-weight: 650; letter-spacing: -.02em; line-height: 1.3; font-variant-numeric: tabular-nums; }
  .card .unit { font-size: 1rem; font-weight: 500; color: var(--muted); letter-spacing: 0; }
  ul.gates { list-style: none; padding: 0; margin: 1rem 0 0; }
  ul.gates li { padding: .3rem 0; overflow-wrap: anywhere; }

  .scroll { overflow-x: auto; margin: .75rem 0; }
  table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
  th, td { padding: .45rem .9rem .45rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
  th:last-child, td:last-child { padding-right: 0; }
  thead th { color: var(--muted); font-size: .85rem; font-weight: 600; white-space: nowrap; border-bottom-width: 2px; }
  tbody th { font-weight: 500; overflow-wrap: anywhere; min-width: 7rem; }
  tfoot th, tfoot td { font-weight: 650; border-bottom: 0; }
  .number { text-align: right; white-space: nowrap; }
  .wide { min-width: 9rem; width: 30%; }
  tr.worst > * { background: var(--panel); }
  tr.worst th { font-weight: 650; }
  .bar { display: inline-block; vertical-align: middle; width: 100%; height: .7rem; background: var(--view); border-radius: .2rem; overflow: hidden; }
  .meter { display: flex; align-items: center; gap: .7rem; }
  .meter span:last-child { flex: 0 0 4.2rem; text-align: right; }
  .bar::before { content: ""; display: block; height: 100%; width: calc(var(--share) * 100%); min-width: 1px; background: var(--kind-0); border-radius: .2rem 0 0 .2rem; }
  tr.worst .bar::before { background: var(--bad); }

  .exhibit { margin: 1.25rem 0 2.75rem; scroll-margin-top: 1rem; }
  .exhibit > header { display: flex; flex-wrap: wrap; gap: .1rem .9rem; align-items: baseline; margin-bottom: .6rem; }
  .exhibit > header p { margin: 0; color: var(--muted); font-variant-numeric: tabular-nums; }
  .panes { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .compare { grid-column: 1 / -1; }
  figure { margin: 0; min-width: 0; }
  figcaption { color: var(--muted); font-size: .875rem; line-height: 1.45; margin-top: .4rem; }
  .view { background: var(--view); border-radius: .5rem; overflow: hidden; position: relative; }
  .sheet { position: relative; margin-inline: auto; }
  .sheet img { display: block; width: 100%; height: auto; aspect-ratio: var(--width) / var(--height); }
  .compare .sheet { display: grid; grid-template-columns: 1fr 1fr; gap: .25rem; }
  .compare figcaption { display: flex; justify-content: space-between; color: var(--ink); font-weight: 600; }
  .compare .left::before { content: "◀ "; } .compare .right::after { content: " ▶"; }
  .scale { display: block; max-width: 22rem; margin-bottom: .3rem; }
  .ramp {
    display: block; height: .7rem; border-radius: .2rem; border: 1px solid var(--line);
    background: linear-gradient(to right, #000004, #1b0c41, #4a0c6b, #781c6d, #a52c60, #cf4446, #ed6925, #fb9b06, #f7d13d, #fcffa4);
  }
  .ticks { display: flex; justify-content: space-between; font-size: .78rem; font-variant-numeric: tabular-nums; }

  .js .compare .sheet { display: block; }
  .js .view { aspect-ratio: var(--width) / var(--height); }
  .js .view { max-height: 85vh; }
  .js .candidate { position: absolute; inset: 0; clip-path: inset(-1px -1px -1px var(--wipe, 50%)); }
  .js .compare .sheet::after {
    content: ""; position: absolute; inset-block: 0; left: calc(var(--wipe, 50%) - 1px); width: 2px;
    background: #fff; box-shadow: 0 0 0 1px rgb(0 0 0 / .55); pointer-events: none;
  }
  .js .compare .view { touch-action: pan-y pinch-zoom; cursor: ew-resize; }
  .js .exhibit[data-zoom] .view { overflow: auto; touch-action: auto; cursor: grab; }
  .js .exhibit[data-zoom] .sheet { width: calc(var(--width) * var(--zoom) * 1px); }
  .js .exhibit[data-zoom] img { image-rendering: pixelated; }
  .controls { display: flex; flex-wrap: wrap; gap: .6rem 1.5rem; align-items: center; margin-top: .6rem; }
  .controls[hidden] { display: none; }
  .wipe { display: flex; gap: .75rem; align-items: center; flex: 1 1 16rem; font-size: .9rem; }
  .wipe input { flex: 1; min-width: 0; height: 2rem; margin: 0; accent-color: var(--accent); touch-action: none; }
  .zoom { display: flex; align-items: center; border: 0; padding: 0; margin: 0; min-width: 0; font-size: .9rem; flex-wrap: wrap; }
  .zoom legend { float: left; padding: 0; margin-right: .75rem; }
  .zoom label { position: relative; }
  .zoom input { position: absolute; inset: 0; opacity: 0; margin: 0; width: 100%; height: 100%; cursor: pointer; }
  .zoom span { display: block; padding: .35rem .7rem; border: 1px solid var(--line); margin-left: -1px; background: var(--ground); white-space: nowrap; }
  .zoom label:first-of-type span { border-radius: .4rem 0 0 .4rem; margin-left: 0; }
  .zoom label:last-of-type span { border-radius: 0 .4rem .4rem 0; }
  .zoom input:checked + span { background: var(--ink); color: var(--ground); border-color: var(--ink); font-weight: 600; }
  .zoom input:focus-visible + span { outline: 3px solid var(--accent); outline-offset: 2px; position: relative; z-index: 1; }

  .sizebar { display: flex; height: 2.6rem; border-radius: .4rem; overflow: hidden; background: var(--view); }
  .sizebar span { flex: 0 1 0; min-width: 0; box-shadow: inset -1px 0 0 var(--ground); }
  ul.legend { list-style: none; padding: 0; margin: .75rem 0; display: flex; flex-wrap: wrap; gap: .3rem 1.75rem; }
  .swatch { display: inline-block; width: 1rem; height: 1rem; border-radius: .2rem; margin-right: .5rem; vertical-align: -.15rem; }
  .kind-0 { background: var(--kind-0); }
  .kind-1 { background: repeating-linear-gradient(45deg, var(--hatch) 0 2px, transparent 2px 6px) var(--kind-1); }
  .kind-2 { background: repeating-linear-gradient(-45deg, var(--hatch) 0 2px, transparent 2px 6px) var(--kind-2); }
  .kind-3 { background: repeating-linear-gradient(90deg, var(--hatch) 0 2px, transparent 2px 6px) var(--kind-3); }
  .kind-rest { background: var(--kind-rest); }
  summary { cursor: pointer; padding: .35rem 0; }
  dl.files dt { font-weight: 600; overflow-wrap: anywhere; }
  dl.files dd { margin: 0 0 .6rem; color: var(--muted); overflow-wrap: anywhere; }
  ul.notes { padding-left: 1.2rem; }
  pre.command { background: var(--panel); color: var(--ink); padding: .9rem 1.1rem; border-radius: .6rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0 1rem; }
  figure.plot { margin: 1rem 0; }
  figure.plot svg { display: block; width: 100%; height: auto; min-width: 34rem; max-width: 56rem; }

  @media (min-width: 56rem) {
    .panes { grid-template-columns: minmax(0, 2fr) minmax(0, 1fr); }
    .compare { grid-column: 1; grid-row: 1 / span 2; }
    .original, .errors { grid-column: 2; }
    .panes { grid-template-rows: auto 1fr; }
  }
  @media (max-width: 40rem) {
    h1 { font-size: 1.3rem; }
    .roomy { display: none; }
    th, td { padding-right: .7rem; }
    .wide { min-width: 7.5rem; }
    .zoom { width: 100%; }
    .zoom legend { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .zoom label { flex: 1 1 auto; text-align: center; }
    .card .value { font-size: 1.4rem; }
    .cards { grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .6rem; }
    .card { padding: .65rem .85rem; }
    .zoom span { padding: .45rem .55rem; }
    .panes { gap: .8rem; }
  }
  @media print {
    .scripted, .skip { display: none !important; }
    .js .compare .sheet { display: grid; }
    .js .candidate { position: static; clip-path: none; }
    .js .compare .sheet::after { content: none; }
    .js .view { aspect-ratio: auto; max-height: none; }
    .exhibit { break-inside: avoid; }
  }
  """#
