import { missingRecord } from "@tollgate/contract/api/usage";
import { useTranslation } from "react-i18next";
import { GroupLink } from "../../components/group-link";
import { UsageTable } from "../../components/usage-table";
import type { UsageRange } from "../../lib/usage/usage-range";

/** Health of the channels with the most requests in the last 24 hours. */
export const ChannelHealth = ({ range }: { range: UsageRange }) => {
  const { t } = useTranslation();
  return (
    <UsageTable
      title={t("cockpit.channels.title")}
      range={range}
      step="hour"
      by="channel"
      filter={{}}
      nameOf={(group) =>
        group.name === "" && missingRecord("channel", group.key) === undefined ? (
          <span className="text-ink-3">{t("cockpit.channels.gone", { id: group.key })}</span>
        ) : (
          <GroupLink by="channel" group={group} />
        )
      }
      linesOf={({ key }) => ({ channel: key })}
    />
  );
};
