import { clsx } from "clsx";
import { Badge, type Tone } from "./badge";

/** The colour of a group's badge (specification section 9). */
export const groupTone = (group: string): Tone => {
  if (group === "vip" || group === "pro") return "yellow";
  return group === "svip" || group === "premium" ? "red" : "grey";
};

/** Keeps a list's row on one line. */
const MAX_IN_LINE = 3;

/** The groups of a channel or a user; an empty list means the default group. */
export const GroupBadges = ({ groups }: { groups: string[] }) => (
  <span className={clsx("flex flex-wrap gap-1", groups.length <= MAX_IN_LINE && "wide:flex-nowrap")}>
    {(groups.length === 0 ? ["default"] : groups).map((group) => (
      <Badge key={group} tone={groupTone(group)}>
        {group}
      </Badge>
    ))}
  </span>
);
