import { missingRecord, type UsageGrouping } from "@tollgate/contract/api/usage";
import { useGroupName } from "../lib/usage/use-group-name";
import { RecordLink } from "./record-link";

interface GroupLinkProps {
  by: Exclude<UsageGrouping, "none">;
  group: { key: string; name: string };
}

/** The name of a group of requests, as a link to its record's page if it has one. */
export const GroupLink = ({ by, group }: GroupLinkProps) => {
  const nameOf = useGroupName();
  const hasPage = missingRecord(by, group.key) === undefined;
  return (
    <RecordLink kind={by} id={hasPage ? group.key : undefined}>
      {nameOf(by, group)}
    </RecordLink>
  );
};
