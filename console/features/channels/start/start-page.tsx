import { Link } from "@tanstack/react-router";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../../components/button";
import { Field } from "../../../components/field";
import { LazyBoundary } from "../../../components/lazy-boundary";
import { PageFrame, Panel } from "../../../components/page-frame";
import { TextAreaField, TextField } from "../../../components/text-field";
import { bearerKey } from "../../../lib/bearer-key";
import { focusMistake } from "../../../lib/focus-mistake";
import { serverAddress, useStatus } from "../../../lib/status";
import { useVendorName } from "../../../lib/vendor-name";
import { needsBaseUrl } from "../channel-form";
import { TypeSelect } from "../type-select";
import { FirstAnswer } from "./first-answer";
import { guessVendors } from "./guess-vendor";
import { readPasted } from "./read-pasted";
import { StartProgress } from "./start-progress";
import { type StartFields, type StartRun, useStartRun, usualModels } from "./use-start-run";

/** /start: from an upstream's key to the first answer. */
export const StartPage = () => {
  const { t } = useTranslation();
  const { run, start, restart } = useStartRun();
  // A new round starts with an empty form for another upstream.
  const [round, setRound] = useState(0);
  return (
    <div className="mx-auto w-full max-w-document">
      <PageFrame
        title={t("quickStart.title")}
        description={t("quickStart.description")}
        aside={
          run.token && (
            <Button
              onClick={() => {
                restart();
                setRound(round + 1);
              }}
            >
              {t("quickStart.another")}
            </Button>
          )
        }
      >
        <UpstreamPanel key={round} run={run} start={start} />
        {run.token && run.passed && <ProgramPanel run={run} />}
      </PageFrame>
    </div>
  );
};

interface UpstreamPanelProps {
  run: StartRun;
  start: (fields: StartFields, isUsual?: boolean) => Promise<void>;
}

type Mistakes = Partial<Record<"key" | "address" | "type", string>>;

/** The pasted key and the guessed upstream, unless the user overrides it. */
const useUpstream = () => {
  const nameOf = useVendorName();
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [typedAddress, setAddress] = useState<string>();
  const [chosen, setType] = useState<number>();
  const pasted = readPasted(text);
  const address = (typedAddress ?? pasted.address).trim().replace(/\/+$/, "");
  const guesses = pasted.key === "" && address === "" ? [] : guessVendors(pasted.key, address);
  const guessHint = (): string | undefined => {
    if (chosen !== undefined || guesses.length === 0) return undefined;
    if (guesses.length === 1) return t("quickStart.guessed");
    return t("quickStart.guessedSeveral", { names: guesses.map(nameOf).join(t("quickStart.or")) });
  };
  return {
    text,
    key: pasted.key,
    address,
    addressText: typedAddress ?? pasted.address,
    type: chosen ?? (guesses.length === 1 ? guesses[0] : undefined),
    hint: guessHint(),
    paste: (next: string) => {
      setText(next);
      setType(undefined);
    },
    setAddress,
    setType,
  };
};

/** The input of the upstream's key, and the progress of the run. */
const UpstreamPanel = ({ run, start }: UpstreamPanelProps) => {
  const { t } = useTranslation();
  const nameOf = useVendorName();
  const form = useRef<HTMLFormElement>(null);
  const upstream = useUpstream();
  const { key, address, type, hint } = upstream;
  const [mistakes, setMistakes] = useState<Mistakes>({});
  const isAddressNeeded = type !== undefined && needsBaseUrl(type);

  const findMistakes = (): Mistakes => ({
    ...(key === "" ? { key: t("field.missing") } : {}),
    ...(address !== "" && !/^https?:\/\/./.test(address) ? { address: t("quickStart.addressInvalid") } : {}),
    ...(type === undefined ? { type: hint ?? t("quickStart.typeMissing") } : {}),
    ...(isAddressNeeded && address === "" ? { address: t("field.missing") } : {}),
  });

  const submit = (isUsual = false) => {
    const found = findMistakes();
    setMistakes(found);
    if (type === undefined || Object.keys(found).length > 0) {
      if (form.current) focusMistake(form.current, found);
      return;
    }
    const host = URL.canParse(address) ? new URL(address).host : "";
    const name = isAddressNeeded && host !== "" ? host : nameOf(type);
    void start({ type, key, address, name, keyName: t("quickStart.keyName") }, isUsual);
  };

  return (
    <Panel>
      <form
        ref={form}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <h2 className="font-semibold text-lg">{t("quickStart.upstream")}</h2>
        <TextAreaField
          label={t("quickStart.key")}
          name="key"
          isRequired
          value={upstream.text}
          hint={t("quickStart.keyHint")}
          error={mistakes.key}
          autoComplete="off"
          spellCheck={false}
          className="min-h-16 font-mono text-sm"
          onChange={(event) => upstream.paste(event.target.value)}
        />
        <div className="grid gap-4 wide:grid-cols-2">
          <TextField
            label={t("quickStart.address")}
            name="address"
            isRequired={isAddressNeeded}
            value={upstream.addressText}
            hint={t("quickStart.addressHint")}
            error={mistakes.address}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => upstream.setAddress(event.target.value)}
          />
          <Field label={t("quickStart.vendor")} isRequired error={mistakes.type} hint={hint}>
            {(control) => <TypeSelect value={type} onChange={upstream.setType} control={control} />}
          </Field>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {!run.token && (
            <Button type="submit" variant="primary" isBusy={run.step !== undefined}>
              {t("quickStart.connect")}
            </Button>
          )}
          <Link to="/channel/add" className="text-sm text-accent underline-offset-2 hover:underline">
            {t("quickStart.fullForm")}
          </Link>
        </div>
        <StartProgress
          run={run}
          onUsual={type !== undefined && usualModels(type).length > 0 ? () => submit(true) : undefined}
        />
      </form>
    </Panel>
  );
};

/** Instructions to connect a program with the key, and whether its first request has arrived. */
const ProgramPanel = ({ run: { token, passed } }: { run: StartRun }) => {
  const { t } = useTranslation();
  const status = useStatus();
  const [since] = useState(() => toUnixSeconds(Date.now()));
  if (!token || !passed) return null;
  return (
    <Panel>
      <div className="flex flex-col gap-4">
        <h2 className="font-semibold text-lg">{t("quickStart.program")}</h2>
        <LazyBoundary
          load={() => import("../../../components/connect-guide")}
          with={{
            connection: { address: serverAddress(status), key: bearerKey(token.key), model: passed.model },
          }}
          fallback={<div className="skeleton h-96 w-full" />}
        />
        <FirstAnswer keyName={token.name} since={since} />
        <p className="flex flex-wrap gap-2">
          <Link to="/channel" className={buttonVariants({ variant: "quiet", size: "small" })}>
            {t("quickStart.toChannels")}
          </Link>
          <Link to="/token" className={buttonVariants({ variant: "quiet", size: "small" })}>
            {t("quickStart.toKeys")}
          </Link>
          <Link to="/user/add" className={buttonVariants({ variant: "quiet", size: "small" })}>
            {t("quickStart.toUsers")}
          </Link>
        </p>
      </div>
    </Panel>
  );
};
