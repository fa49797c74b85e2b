import { type ApiKey, endFormerKey, listApiKeys, rotateApiKey } from "@tollgate/contract/api/api-keys";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { SelectField } from "../../components/select-field";
import { useRowEndpoint } from "../../lib/endpoint-lists";
import { formatTime } from "../../lib/format";
import { notify } from "../../lib/notify";
import { isFormerInUse } from "./former-key";

/** Choices for the remaining validity of the previous secret, in seconds. */
const SPANS = { now: 0, hour: 3600, day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const;
type Span = keyof typeof SPANS;
const USUAL_SPAN: Span = "day";

const isSpan = (value: string): value is Span => Object.hasOwn(SPANS, value);

interface RotateWindowProps {
  token: ApiKey;
  /** Called with the key and its new secret. */
  onRotated: (token: ApiKey) => void;
  onClose: () => void;
}

/** Rotates a key's secret, with the remaining validity of the previous one. */
const RotateWindow = ({ token, onRotated, onClose }: RotateWindowProps) => {
  const { t } = useTranslation();
  const { id, name, formerUntil } = token;
  const [span, setSpan] = useState<Span>(USUAL_SPAN);
  const followed = (changed: ApiKey): Partial<ApiKey> => ({
    key: changed.key,
    formerUntil: changed.formerUntil,
  });
  const rotate = useRowEndpoint(listApiKeys, id, rotateApiKey, followed);
  const end = useRowEndpoint(listApiKeys, id, endFormerKey, followed);
  const endNow = () =>
    end.mutate(
      { params: { id } },
      {
        onSuccess: () => {
          notify.success(t("token.rotate.ended"));
          onClose();
        },
      },
    );
  return (
    <Dialog isOpen onClose={onClose} title={t("token.rotate.title", { name })}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          rotate.mutate(
            { params: { id }, body: { former_seconds: SPANS[span] } },
            {
              onSuccess: (rotated) => {
                notify.success(t("token.rotate.done"));
                onRotated(rotated);
              },
            },
          );
        }}
      >
        <p className="text-sm text-ink-2">{t("token.rotate.text")}</p>
        {isFormerInUse(token) && (
          <div className="flex flex-wrap items-center justify-between gap-2 rounded-md bg-yellow-soft px-3 py-2 text-sm">
            <span>{t("token.rotate.former", { time: formatTime(formerUntil ?? 0) })}</span>
            <Button size="small" isBusy={end.isPending} onClick={endNow}>
              {t("token.rotate.endNow")}
            </Button>
          </div>
        )}
        <SelectField
          label={t("token.rotate.span")}
          value={span}
          options={Object.keys(SPANS)
            .filter(isSpan)
            .map((each) => ({ value: each, label: t(`token.rotate.spans.${each}`) }))}
          onChange={(chosen) => isSpan(chosen) && setSpan(chosen)}
        />
        <DialogActions>
          <Button type="submit" variant="primary" isBusy={rotate.isPending}>
            {t("token.rotate.confirm")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};

export default RotateWindow;
