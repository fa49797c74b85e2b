import {
  type DescribedGroups,
  type OwnUsableGroups,
  parseGroupUsableGroups,
  parseUsableGroups,
} from "@tollgate/contract/management/group";
import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import { splitList } from "@tollgate/contract/values/split-list";
import type { Options } from "./options";

/** The fields of a key that determine its requests' groups. */
export interface GroupedKey {
  readonly user: { readonly groups: readonly string[] };
  readonly group?: string | undefined;
  readonly autoGroups?: readonly string[] | undefined;
}

/** Which groups keys may choose (docs/reference/groups.md). */
export interface GroupAccess {
  /** Groups that a user of these groups may choose, with descriptions: its own first, then in option order. */
  usableBy(groups: readonly string[]): DescribedGroups;
  /** The groups that AUTO_GROUP stands for, for a user of these groups whose key has no list of its own. */
  autoOf(groups: readonly string[]): readonly string[];
  /** The groups of a key's requests, in order; none where it may no longer use its own. */
  groupsOf(key: GroupedKey): readonly string[];
}

const OPTIONS_READ = ["UserUsableGroups", "GroupUsableGroups", "AutoGroups"];

const NONE: readonly string[] = [];

/** Results computed once for all keys of users with the same list of groups. */
interface Known {
  readonly usable: DescribedGroups;
  readonly auto: readonly string[];
  /** A list of one for each, so that a request makes none. */
  readonly single: ReadonlyMap<string, readonly string[]>;
}

/** Groups from the options, cached until one of them changes; a user whose groups change has another list object. */
export const createGroupAccess = (options: Pick<Options, "text" | "onChange">): GroupAccess => {
  let everybodys: DescribedGroups = new Map();
  let own: ReadonlyMap<string, OwnUsableGroups> = new Map();
  let siteAuto: readonly string[] = NONE;
  let known = new WeakMap<readonly string[], Known>();
  /** By the names of the groups, because most users have the same. */
  let byNames = new Map<string, Known>();
  const read = (): void => {
    // A wrong text that was stored gives no user anything.
    const usable = parseUsableGroups(options.text("UserUsableGroups"));
    everybodys = "fault" in usable ? new Map() : usable;
    const ofGroups = parseGroupUsableGroups(options.text("GroupUsableGroups"));
    own = "fault" in ofGroups ? new Map() : ofGroups;
    siteAuto = [...new Set(splitList(options.text("AutoGroups")))];
    known = new WeakMap();
    byNames = new Map();
  };
  read();
  options.onChange((key) => {
    if (OPTIONS_READ.includes(key)) read();
  });

  const workOut = (groups: readonly string[]): Known => {
    const usable = new Map<string, string>();
    for (const group of groups)
      usable.set(group, own.get(group)?.added.get(group) ?? everybodys.get(group) ?? "");
    for (const group of groups) {
      const { added, removed } = own.get(group) ?? {};
      for (const [name, description] of everybodys)
        if (!usable.has(name) && !removed?.has(name)) usable.set(name, description);
      for (const [name, description] of added ?? [])
        if (!groups.includes(name)) usable.set(name, description);
    }
    const listed = siteAuto.filter((group) => usable.has(group));
    return {
      usable,
      auto: listed.length > 0 ? listed : groups,
      single: new Map([...usable.keys()].map((group) => [group, [group]])),
    };
  };

  const knownOf = (groups: readonly string[]): Known => {
    let found = known.get(groups);
    if (!found) {
      const names = groups.join(",");
      found = byNames.get(names) ?? workOut(groups);
      byNames.set(names, found);
      known.set(groups, found);
    }
    return found;
  };

  return {
    usableBy: (groups) => knownOf(groups).usable,
    autoOf: (groups) => knownOf(groups).auto,
    groupsOf({ user, group, autoGroups }) {
      if (group === undefined) return user.groups;
      const { usable, auto, single } = knownOf(user.groups);
      if (group !== AUTO_GROUP) return single.get(group) ?? NONE;
      return autoGroups ? autoGroups.filter((each) => usable.has(each)) : auto;
    },
  };
};
