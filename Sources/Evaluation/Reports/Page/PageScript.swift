/// The script of every page: the wipe, and the zoom that keeps the pictures of a row in step. Without it the outputs
/// stand side by side and everything else is as it is.
let pageScript = #"""
  (() => {
    "use strict";
    document.documentElement.classList.add("js");
    for (const part of document.querySelectorAll(".scripted")) part.hidden = false;

    for (const exhibit of document.querySelectorAll(".exhibit")) {
      const views = [...exhibit.querySelectorAll(".view")];
      const view = exhibit.querySelector(".compare .view");
      const sheet = view.querySelector(".sheet");
      const wipe = exhibit.querySelector(".wipe input");

      // The wipe runs over the part of the picture that is in view, so that it is at hand at any zoom.
      const shown = () => Math.min(view.clientWidth, sheet.offsetWidth);
      const draw = () => {
        sheet.style.setProperty("--wipe", `${view.scrollLeft + shown() * wipe.value / 100}px`);
        wipe.setAttribute("aria-valuetext",
          `${wipe.value} % ${wipe.dataset.left}, ${100 - wipe.value} % ${wipe.dataset.right}`);
      };
      wipe.addEventListener("input", draw);
      new ResizeObserver(draw).observe(view);

      // All views show the same middle. The one that the reader moves leads; the others' own events are ignored.
      let leader = null;
      let release = 0;
      const middle = (v) => [
        (v.scrollLeft + v.clientWidth / 2) / v.scrollWidth, (v.scrollTop + v.clientHeight / 2) / v.scrollHeight];
      const centre = (v, [x, y]) =>
        v.scrollTo(x * v.scrollWidth - v.clientWidth / 2, y * v.scrollHeight - v.clientHeight / 2);
      const lead = (v) => {
        leader = v;
        clearTimeout(release);
        release = setTimeout(() => { leader = null; }, 150);
      };
      for (const moved of views) {
        moved.addEventListener("scroll", () => {
          if (leader === null || leader === moved) {
            lead(moved);
            for (const other of views) if (other !== moved) centre(other, middle(moved));
          }
          draw();
        }, { passive: true });
      }

      for (const choice of exhibit.querySelectorAll(".zoom input")) {
        choice.addEventListener("change", () => {
          const kept = middle(view);
          if (choice.value === "fit") delete exhibit.dataset.zoom;
          else {
            exhibit.dataset.zoom = choice.value;
            exhibit.style.setProperty("--zoom", choice.value);
          }
          lead(view);
          for (const each of views) centre(each, kept);
          draw();
        });
      }

      // Dragging wipes where the whole picture is in view, and moves a picture that is zoomed in. Touch scrolls by
      // itself.
      for (const dragged of views) {
        let from = null;
        dragged.addEventListener("pointerdown", (event) => {
          if (event.button !== 0) return;
          const zoomed = "zoom" in exhibit.dataset;
          if (zoomed ? event.pointerType === "touch" : dragged !== view) return;
          from = { x: event.clientX + dragged.scrollLeft, y: event.clientY + dragged.scrollTop, zoomed };
          dragged.setPointerCapture(event.pointerId);
          if (!zoomed) follow(event);
          event.preventDefault();
        });
        const follow = (event) => {
          if (from === null) return;
          if (from.zoomed) {
            lead(dragged);
            dragged.scrollTo(from.x - event.clientX, from.y - event.clientY);
          } else {
            const box = sheet.getBoundingClientRect();
            wipe.value = Math.round(100 * (event.clientX - box.left) / box.width);
            draw();
          }
        };
        dragged.addEventListener("pointermove", follow);
        for (const end of ["pointerup", "pointercancel"]) {
          dragged.addEventListener(end, () => { from = null; });
        }
      }
      draw();
    }
  })();
  """#
