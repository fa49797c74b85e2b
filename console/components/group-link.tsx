import { missingRecord, type UsageGrouping } from "@tollgate/contract/api/usage";
import { useGroupName } from "../lib/usage/use-group-name";
import { RecordLink } from "./record-link";

interface GroupLinkProps {
  by: Exclude<UsageGrouping, "none">;
  group: { key: string; name: string };
  /** False if the reader cannot open the record's page. */
  isLinked?: boolean;
}

/** The name of a group of requests, as a link to its record's page if it has one. */
export const GroupLink = ({ by, group, isLinked = true }: GroupLinkProps) => {
  const nameOf = useGroupName();
  const hasPage = isLinked && missingRecord(by, group.key) === undefined;
  return (
    <RecordLink kind={by} id={hasPage ? group.key : undefined}>
      {nameOf(by, group)}
    </RecordLink>
  );
};
