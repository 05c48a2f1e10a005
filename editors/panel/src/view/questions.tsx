import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { list, string, type Wire } from "../state/blocks";
import { disarm } from "../markdown";
import { text } from "../texts";

interface Props {
  questions: Wire[];
  /** Gets the JSON text that the CLI wants: question → label, or labels. */
  answer: (message: string) => void;
}

/** The agent's questions, all in one form: single or several choices each, or words of one's own. */
export function Questions({ questions, answer }: Props): JSX.Element {
  const given = useSignal<Record<string, string[]>>({});
  const others = useSignal<Record<string, string>>({});
  const answersOf = (question: string): string[] =>
    [...(given.value[question] ?? []), others.value[question]?.trim() ?? ""].filter(Boolean);
  const complete = questions.every((each) => answersOf(string(each["question"])).length > 0);
  const toggle = (question: string, label: string, several: boolean): void => {
    const now = given.value[question] ?? [];
    const next = !several ? [label] : now.includes(label) ? now.filter((each) => each !== label) : [...now, label];
    given.value = { ...given.value, [question]: next };
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!complete) return;
    const answers = questions.map((each) => {
      const question = string(each["question"]);
      const chosen = answersOf(question);
      return [question, each["multiSelect"] === true ? chosen : chosen.at(-1)];
    });
    answer(JSON.stringify(Object.fromEntries(answers)));
  };
  return (
    <form class="questions" onSubmit={submit}>
      {questions.map((each, at) => {
        const question = string(each["question"]);
        const several = each["multiSelect"] === true;
        return (
          <fieldset key={question}>
            <legend>{disarm(question)}</legend>
            {list(each["options"]).map((option, row) => {
              const label = string(option["label"]);
              return (
                <label key={label}>
                  <input
                    type={several ? "checkbox" : "radio"} name={`question-${at}`} data-first={!at && !row ? true : undefined}
                    checked={given.value[question]?.includes(label) ?? false} onChange={() => { toggle(question, label, several); }}
                  />
                  <span>{disarm(label)} <small>{disarm(string(option["description"]))}</small></span>
                </label>
              );
            })}
            <input
              class="feedback" aria-label={`${text("other")}: ${question}`} placeholder={text("other")}
              onInput={(event) => { others.value = { ...others.value, [question]: event.currentTarget.value }; }}
            />
          </fieldset>
        );
      })}
      <div class="buttons"><button type="submit" class="primary" disabled={!complete}>{text("answer")}</button></div>
    </form>
  );
}
