import { Link } from "@tanstack/react-router";
import { clsx } from "clsx";
import { type ComponentProps, type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useReadOnly } from "../lib/read-only";
import { switchRecord } from "../lib/switch-record";
import { useAddress } from "../lib/use-address";
import { Button } from "./button";
import { Loaded } from "./form-page";
import { PageLoading } from "./page-loading";

/** A part of a detail page. Only the shown one is rendered. */
export interface DetailTab {
  /** Its name in the address. */
  id: string;
  label: string;
  content: ReactNode;
}

interface DetailPageProps {
  title: ReactNode;
  /** State and kind, beside the title. */
  marks: ReactNode;
  /** Actions on the record. */
  actions: ReactNode;
  /** Facts about the record, which every tab shows: the most important first. */
  facts?: readonly Fact[];
  /** Name of the tab list, for screen readers. */
  label: string;
  /** The first is the default. */
  tabs: readonly DetailTab[];
}

const readTab = (search: Record<string, unknown>): { tab?: string } =>
  typeof search.tab === "string" ? { tab: search.tab } : {};

/** The page of one record: its identity, actions and facts above, its details in tabs below. */
export const DetailPage = ({ title, marks, actions, facts, label, tabs }: DetailPageProps) => {
  const [{ tab }] = useAddress(readTab);
  const shown = tabs.find(({ id }) => id === tab) ?? tabs[0];
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 break-words font-semibold text-xl leading-7">{title}</h1>
          {marks}
        </div>
        <div className="flex flex-wrap gap-2">{actions}</div>
      </header>
      {facts && <HeadFacts facts={facts} />}
      <nav
        aria-label={label}
        className="-mx-4 flex overflow-x-auto border-line border-b px-4 wide:mx-0 wide:px-0"
      >
        {tabs.map(({ id, label: name }) => (
          <Link
            key={id}
            to="."
            // Filters of one tab mean nothing to another.
            search={(id === tabs[0]?.id ? {} : { tab: id }) as never}
            aria-current={id === shown?.id ? "page" : undefined}
            className={clsx(
              "-mb-px flex h-10 shrink-0 items-center whitespace-nowrap border-b-2 px-3 text-sm",
              id === shown?.id
                ? "border-accent font-medium text-ink"
                : "border-transparent text-ink-2 hover:text-ink",
            )}
          >
            {name}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<PageLoading />}>{shown?.content}</Suspense>
    </div>
  );
};

interface RecordPageProps<Record> {
  query: ComponentProps<typeof Loaded<Record>>["query"];
  label: string;
  children: (record: Record) => Omit<DetailPageProps, "label">;
}

/** The page of a record, which is read from the server. */
export const RecordPage = <Record,>({ query, label, children }: RecordPageProps<Record>) => (
  <Loaded title={label} query={query}>
    {(record) => <DetailPage label={label} {...children(record)} />}
  </Loaded>
);

interface SwitchButtonProps {
  isOn: boolean;
  isBusy: boolean;
  /** Reason that it cannot be switched. */
  refusal?: string | undefined;
  onSwitch: (isOn: boolean) => Promise<unknown>;
}

/** Switches the record on or off. */
export const SwitchButton = ({ isOn, isBusy, refusal, onSwitch }: SwitchButtonProps) => {
  const { t } = useTranslation();
  if (useReadOnly()) return null;
  return (
    <Button
      disabled={refusal !== undefined}
      title={refusal}
      isBusy={isBusy}
      onClick={() => void switchRecord(!isOn, onSwitch).catch(() => undefined)}
    >
      {t(isOn ? "action.disable" : "action.enable")}
    </Button>
  );
};

/** A fact about a record; left out if undefined, shown as a dash if its value is. */
export type Fact = readonly [name: string, value: ReactNode] | undefined;

/** Number of facts that a narrow screen shows of a head. */
const SHOWN_WHEN_NARROW = 4;

/** The facts in the head of a page. A narrow screen shows the first; the others unfold. */
const HeadFacts = ({ facts }: { facts: readonly Fact[] }) => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const known = facts.filter((fact) => fact !== undefined);
  return (
    <section
      aria-label={t("detail.facts")}
      className="rounded-lg border border-line bg-surface px-4 py-2 text-sm"
    >
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 wide:grid-cols-[repeat(auto-fill,minmax(9rem,1fr))]">
        {known.map((fact, index) => (
          <OneFact
            key={fact[0]}
            fact={fact}
            className={index < SHOWN_WHEN_NARROW || isOpen ? "" : "max-wide:hidden"}
          />
        ))}
      </dl>
      {known.length > SHOWN_WHEN_NARROW && (
        <Button
          variant="quiet"
          size="small"
          className="-mx-2 mt-1 wide:hidden"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t(isOpen ? "action.fold" : "action.unfold")}
        </Button>
      )}
    </section>
  );
};

const OneFact = ({ fact, className }: { fact: NonNullable<Fact>; className?: string }) => {
  const { t } = useTranslation();
  const [name, value] = fact;
  return (
    <div className={clsx("min-w-0", className)}>
      <dt className="text-xs text-ink-2">{name}</dt>
      <dd className="mt-0.5 break-words tabular-nums">
        {value || value === 0 ? value : <span className="text-ink-3">{t("value.none")}</span>}
      </dd>
    </div>
  );
};

/** Further facts below a heading: names and values in a grid. */
export const Facts = ({ facts, title }: { facts: readonly Fact[]; title: string }) => (
  <section aria-label={title} className="rounded-lg border border-line bg-surface px-4 py-3">
    <h2 className="mb-3 font-semibold text-base">{title}</h2>
    <dl className="grid grid-cols-2 gap-x-6 gap-y-3 wide:grid-cols-4">
      {facts.map((fact) => fact && <OneFact key={fact[0]} fact={fact} />)}
    </dl>
  </section>
);
