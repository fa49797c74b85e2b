import { testChannel } from "@tollgate/contract/api/channel-upstream";
import type { Channel } from "@tollgate/contract/api/channels";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { LazyBoundary } from "../../components/lazy-boundary";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";

// Loaded with the first test in detail.
const loadDetailedTest = () => import("./detailed-test");

/** Opens the test of a stored channel with a chosen model, endpoint and prompt. */
const DetailedTestButton = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  return (
    <>
      <Button
        aria-haspopup="dialog"
        onClick={() => {
          setOpened(true);
          setOpen(true);
        }}
      >
        {t("channelTest.open")}
      </Button>
      {wasOpened && (
        <LazyBoundary
          load={loadDetailedTest}
          with={{ channel, isOpen, onClose: () => setOpen(false) }}
          onMissing={() => setOpened(false)}
        />
      )}
    </>
  );
};

/** Sends a test request over a stored channel, and reports the response time; opens the test in detail. */
export const TestButtons = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const { id, name } = channel;
  const test = useEndpoint(testChannel);
  const told = ({ time }: { time: number }) =>
    notify.info(t("channel.tested", { name, seconds: time.toFixed(2) }));
  return (
    <div className="flex flex-wrap gap-2">
      <Button isBusy={test.isPending} onClick={() => test.mutate({ params: { id } }, { onSuccess: told })}>
        {t("channel.test")}
      </Button>
      <DetailedTestButton channel={channel} />
    </div>
  );
};
