// Filter by verdict and paper, and search; a link opens its claim. Without scripts nothing is left out.
"use strict";
{
  const form = document.getElementById("filters");
  const [words, verdict, paper, matches] = ["words", "verdict", "paper", "matches"].map((id) => document.getElementById(id));
  const claims = [...document.querySelectorAll(".claim")];
  const update = () => {
    const asked = words.value.toLowerCase().trim();
    const fits = ({ dataset }) => (!verdict.value || dataset.verdict === verdict.value) &&
      (!paper.value || dataset.paper === paper.value) && dataset.words.includes(asked);
    for (const claim of claims) claim.hidden = !fits(claim);
    for (const section of document.querySelectorAll("section.paper")) {
      const own = [...section.querySelectorAll(".claim")];
      section.hidden = own.length > 0 && own.every((claim) => claim.hidden);
    }
    const count = claims.filter((claim) => claim.tagName === "ARTICLE" && !claim.hidden).length;
    matches.textContent = `${count} shown`;
  };
  form.hidden = false;
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  update();
  const name = () => {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch (error) {
      // A bare % is no escape.
      return "";
    }
  };
  const arrive = () => {
    const target = document.getElementById(name());
    if (!target) return;
    if (target.closest("[hidden]")) {
      form.reset();
      update();
    }
    for (const details of target.matches("details") ? [target] : target.querySelectorAll(".evidence")) details.open = true;
    target.scrollIntoView();
  };
  window.addEventListener("hashchange", arrive);
  arrive();
}
