import { testChannel } from "@tollgate/contract/api/channel-upstream";
import type { Channel } from "@tollgate/contract/api/channels";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";

/** Sends a test request over a stored channel, and reports the response time. */
export const TestButton = ({ channel: { id, name } }: { channel: Pick<Channel, "id" | "name"> }) => {
  const { t } = useTranslation();
  const test = useEndpoint(testChannel);
  const told = ({ time }: { time: number }) =>
    notify.info(t("channel.tested", { name, seconds: time.toFixed(2) }));
  return (
    <Button isBusy={test.isPending} onClick={() => test.mutate({ params: { id } }, { onSuccess: told })}>
      {t("channel.test")}
    </Button>
  );
};
