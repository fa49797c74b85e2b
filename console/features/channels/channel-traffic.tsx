import type { Channel } from "@tollgate/contract/api/channels";
import { useTranslation } from "react-i18next";
import type { Column } from "../../components/column";
import { LazyBoundary } from "../../components/lazy-boundary";
import { loadTexts } from "../../lib/i18n";
import { useWide } from "../../lib/use-narrow";

// Loaded after the list, with the chart code and its texts.
const loadCell = async () => {
  const [{ ChannelTrafficCell }] = await Promise.all([
    import("./channel-traffic-cell"),
    loadTexts(["usage"]),
  ]);
  return { default: ChannelTrafficCell };
};

/**
 * The column for the last 24 hours of traffic of the page's channels: one for all figures, because three leave no room
 * beside the others. Shown by default where it fits.
 * @param rows undefined while they load
 */
export const useTrafficColumn = (rows: readonly Channel[] | undefined): Column<Channel> => {
  const { t } = useTranslation();
  const isWide = useWide();
  const ids = (rows ?? []).map(({ id }) => id).sort((a, b) => a - b);
  return {
    id: "traffic",
    label: t("channel.traffic"),
    cell: ({ id }) => <LazyBoundary load={loadCell} fallback={null} with={{ id, ids }} />,
    isNumber: true,
    ...(isWide ? {} : { isOptional: true as const, choice: "traffic-on-narrow" }),
    className: "whitespace-nowrap",
  };
};
