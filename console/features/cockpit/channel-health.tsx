import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
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
      nameOf={({ key, name }) =>
        name === "" ? (
          <span className="text-ink-3">{t("cockpit.channels.gone", { id: key })}</span>
        ) : (
          <Link
            to="/channel/$id"
            params={{ id: key }}
            title={name}
            className="underline-offset-2 hover:text-accent hover:underline"
          >
            {name}
          </Link>
        )
      }
      linesOf={({ key }) => ({ channel: key })}
    />
  );
};
