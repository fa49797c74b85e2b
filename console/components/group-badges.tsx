import { clsx } from "clsx";
import { Badge, type Tone } from "./badge";

/** The colour of a group's badge (specification section 9). */
export const groupTone = (group: string): Tone => {
  if (group === "vip" || group === "pro") return "yellow";
  return group === "svip" || group === "premium" ? "red" : "grey";
};

/** So many keep a row of a list at one line. */
const MOST_IN_LINE = 3;

/** The groups that a channel or a user belongs to; none means the default one. */
export const GroupBadges = ({ groups }: { groups: string[] }) => (
  <span className={clsx("flex flex-wrap gap-1", groups.length <= MOST_IN_LINE && "wide:flex-nowrap")}>
    {(groups.length === 0 ? ["default"] : groups).map((group) => (
      <Badge key={group} tone={groupTone(group)}>
        {group}
      </Badge>
    ))}
  </span>
);
