import type { ChannelsChange } from "./channel-changes";

/** The fields of the editor of many channels, as typed. */
export interface TypedChange {
  groups: string[];
  added: string[];
  removed: string[];
  priority: string;
  weight: string;
  tag: string;
  testModel: string;
  tests: "yes" | "no";
}

export const NOTHING_TYPED: TypedChange = {
  groups: [],
  added: [],
  removed: [],
  priority: "",
  weight: "",
  tag: "",
  testModel: "",
  tests: "yes",
};

const isWhole = (text: string): boolean => /^-?\d+$/.test(text.trim());

/** The change that each field makes; undefined while its value is invalid. */
const CHANGES: Readonly<
  Record<keyof TypedChange, (typed: TypedChange) => Readonly<ChannelsChange> | undefined>
> = {
  groups: ({ groups }) => (groups.length > 0 ? { group: groups.join(",") } : undefined),
  added: ({ added }) => (added.length > 0 ? { add_models: added.join(",") } : undefined),
  removed: ({ removed }) => (removed.length > 0 ? { remove_models: removed.join(",") } : undefined),
  priority: ({ priority }) => (isWhole(priority) ? { priority: Number(priority) } : undefined),
  weight: ({ weight }) => (isWhole(weight) ? { weight: Number(weight) } : undefined),
  tag: ({ tag }) => ({ tag: tag.trim() }),
  testModel: ({ testModel }) => ({ test_model: testModel.trim() }),
  tests: ({ tests }) => ({ skip_tests: tests === "no" }),
};

/** The change that the enabled fields make together; undefined without any, or while one of them is invalid. */
export const toChannelsChange = (
  typed: TypedChange,
  enabled: ReadonlySet<keyof TypedChange>,
): ChannelsChange | undefined => {
  const change: ChannelsChange = {};
  for (const name of enabled) {
    const part = CHANGES[name](typed);
    if (part === undefined) return undefined;
    Object.assign(change, part);
  }
  return enabled.size === 0 ? undefined : change;
};
