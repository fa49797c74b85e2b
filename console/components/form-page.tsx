import { type QueryKey, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import { Fragment, type ReactNode, type Ref, type SubmitEventHandler, useState } from "react";
import { useTranslation } from "react-i18next";
import { useReadOnly } from "../lib/read-only";
import { useIdInAddress } from "../lib/use-address";
import { Button } from "./button";
import { LeaveGuard, type LeaveQuestion } from "./leave-guard";
import { LockedNote } from "./locked-note";
import { PageFrame, Panel } from "./page-frame";
import { PanelLoading } from "./panel-loading";

interface FormPageProps {
  title: string;
  description?: ReactNode;
  /** Actions on the stored record, beside the title. */
  aside?: ReactNode;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  formRef?: Ref<HTMLFormElement>;
  onCancel: () => void;
  isSaving: boolean;
  /** Asks before the page is left while it saves, because only this page shows the answer. */
  savingQuestion?: LeaveQuestion | undefined;
  /** Whether there are unsaved changes. By default typing into the form counts as a change, resetting it as none. */
  isChanged?: boolean;
  children: ReactNode;
}

/** The frame of every form: heading, fields, cancel and submit. Leaving it with changes asks for confirmation. */
export const FormPage = ({
  title,
  description,
  aside,
  onSubmit,
  formRef,
  onCancel,
  isSaving,
  savingQuestion,
  isChanged,
  children,
}: FormPageProps) => {
  const { t } = useTranslation();
  const [isTouched, setTouched] = useState(false);
  const isReadOnly = useReadOnly();
  return (
    <div className="mx-auto w-full max-w-form">
      <PageFrame title={title} description={description} aside={aside}>
        <Panel>
          <LeaveGuard
            isChanged={isChanged ?? isTouched}
            isSaving={isSaving}
            savingQuestion={savingQuestion}
          />
          <form
            ref={formRef}
            noValidate
            onSubmit={onSubmit}
            onInput={() => setTouched(true)}
            onReset={() => setTouched(false)}
            className="flex flex-col gap-5"
          >
            {isReadOnly ? (
              <fieldset disabled className="contents">
                <LockedNote text={t("narrowed.readOnly")} />
                {children}
              </fieldset>
            ) : (
              children
            )}
            <div className="bottom-0 -mx-4 -mb-4 flex justify-end gap-2 rounded-b-lg border-line border-t bg-surface px-4 py-3 wide:sticky wide:-mx-6 wide:-mb-6 wide:px-6 wide:py-4">
              <Button onClick={onCancel}>{t("action.cancel")}</Button>
              {!isReadOnly && (
                <Button type="submit" variant="primary" isBusy={isSaving}>
                  {t("action.submit")}
                </Button>
              )}
            </div>
          </form>
        </Panel>
      </PageFrame>
    </div>
  );
};

interface LoadedProps<Data> {
  title: string;
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown };
  children: (data: Data) => ReactNode;
}

/** A form or a record's page; only the frame while the record loads or after a failure. */
export const Loaded = <Data,>({ title, query: { data, error, refetch }, children }: LoadedProps<Data>) =>
  data === undefined ? (
    <div className="mx-auto w-full max-w-form">
      <PageFrame title={title}>
        <PanelLoading error={error} onRetry={() => void refetch()} />
      </PageFrame>
    </div>
  ) : (
    children(data)
  );

interface EditPageProps<Stored, Key extends QueryKey> {
  title: string;
  query: (id: number) => UseQueryOptions<Stored, Error, Stored, Key>;
  children: (stored: Stored, id: number) => ReactNode;
}

/** The page that edits the record whose id is in the address. */
export const EditPage = <Stored, Key extends QueryKey>({
  title,
  query,
  children,
}: EditPageProps<Stored, Key>) => {
  const id = useIdInAddress();
  return (
    <Loaded title={title} query={useQuery(query(id))}>
      {(stored) => <Fragment key={id}>{children(stored, id)}</Fragment>}
    </Loaded>
  );
};
