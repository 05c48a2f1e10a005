/** Names the requirements that a test proves, in its title; scripts/requirements reads the calls. */
export function req(...ids: string[]): string {
  return `[${ids.join(" ")}]`;
}
