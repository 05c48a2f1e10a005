/** Name the requirements that a test proves, for scripts/requirements. */
export const req = (...ids: string[]): string => ids.map((id) => `[${id}]`).join("");
