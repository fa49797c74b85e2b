import leven from "leven";

/** Names beyond this length are compared by their beginning. */
const MAX_COMPARED = 100;
const MAX_SHOWN = 5;

/** Names differ in spelling and in their vendor's prefix: "openai/GPT-4o" is near "gpt-4o". */
const comparable = (name: string): string =>
  name
    .toLowerCase()
    .slice(-MAX_COMPARED)
    .replace(/^.*\//, "")
    .replaceAll(/[\s._:-]+/g, "-");

/**
 * Names that a user may have meant, the nearest first.
 * @param sought a name that is not among them.
 */
export const nearNames = (sought: string, names: readonly string[]): string[] => {
  const wanted = comparable(sought);
  if (wanted === "") return [];
  const most = Math.max(2, Math.floor(wanted.length / 3));
  return names
    .map((name) => {
      const other = comparable(name);
      const isPart =
        wanted.length > 2 && other.length > 2 && (other.includes(wanted) || wanted.includes(other));
      const steps = leven(wanted, other, { maxDistance: most + 1 });
      return { name, steps: isPart ? Math.min(1, steps) : steps };
    })
    .filter(({ steps }) => steps <= most)
    .sort((a, b) => a.steps - b.steps || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_SHOWN)
    .map(({ name }) => name);
};
