import { useQuery } from "@tanstack/react-query";
import { readUpstreamPrices } from "@tollgate/contract/api/buying-prices";
import type { Channel } from "@tollgate/contract/api/channels";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Panel } from "../../components/page-frame";
import { Select } from "../../components/select";
import { formatTime } from "../../lib/format";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { previewBody } from "./buying-table";
import { buyingPreviewQuery } from "./channel-queries";

const USUAL_GROUP = "default";

/** The upstream's own price list, if it is a gateway that publishes one: read for one of its groups. */
export const UpstreamPriceList = ({ channel, buyingPrices }: { channel: Channel; buyingPrices: string }) => {
  const { t } = useTranslation();
  const { data } = useQuery(buyingPreviewQuery(previewBody({ channel, buyingPrices })));
  const groups = useEndpoint(readUpstreamPrices);
  const read = useEndpoint(readUpstreamPrices);
  const [group, setGroup] = useState<string>();
  const offered = groups.data?.groups ?? [];
  const chosen = group ?? data?.upstream?.group ?? offered[0]?.name ?? USUAL_GROUP;
  return (
    <Panel>
      <h2 className="font-medium">{t("buying.upstream.title")}</h2>
      <p className="mt-1 text-sm text-ink-2">
        {data?.upstream
          ? t("buying.upstream.known", {
              count: data.upstream.models,
              group: data.upstream.group,
              time: formatTime(data.upstream.as_of),
            })
          : t("buying.upstream.none")}
      </p>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button isBusy={groups.isPending} onClick={() => groups.mutate({ body: { id: channel.id } })}>
          {t("buying.upstream.ask")}
        </Button>
        {groups.data && (
          <>
            {offered.length > 0 && (
              <Select
                label={t("buying.upstream.group")}
                value={chosen}
                className="w-56 max-w-full"
                groups={[
                  {
                    options: offered.map(({ name, ratio }) => ({
                      value: name,
                      label: t("buying.upstream.ratio", { name, ratio }),
                    })),
                  },
                ]}
                onChange={setGroup}
              />
            )}
            <Button
              variant="primary"
              isBusy={read.isPending}
              onClick={() =>
                read.mutate(
                  { body: { id: channel.id, group: chosen } },
                  {
                    onSuccess: ({ models, refused }) =>
                      notify.success(t("buying.upstream.kept", { models, refused })),
                  },
                )
              }
            >
              {t("buying.upstream.keep")}
            </Button>
          </>
        )}
      </div>
    </Panel>
  );
};
