import { type ReactNode, type Ref, type SubmitEventHandler, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";
import { LeaveGuard } from "./leave-guard";
import { PageFrame, Panel } from "./page-frame";
import { PanelLoading } from "./panel-loading";

interface FormPageProps {
  title: string;
  description?: ReactNode;
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  formRef?: Ref<HTMLFormElement>;
  onCancel: () => void;
  isSaving: boolean;
  /** Something differs from what is stored. Left out, typing into the form counts as a change, resetting it as none. */
  isChanged?: boolean;
  children: ReactNode;
}

/** The frame of every form: its heading, its fields, then cancel and submit. Leaving it changed is asked about. */
export const FormPage = ({
  title,
  description,
  onSubmit,
  formRef,
  onCancel,
  isSaving,
  isChanged,
  children,
}: FormPageProps) => {
  const { t } = useTranslation();
  const [isTouched, setTouched] = useState(false);
  return (
    <div className="mx-auto w-full max-w-[720px]">
      <PageFrame title={title} description={description}>
        <Panel>
          <LeaveGuard isChanged={isChanged ?? isTouched} isSaving={isSaving} />
          <form
            ref={formRef}
            noValidate
            onSubmit={onSubmit}
            onInput={() => setTouched(true)}
            onReset={() => setTouched(false)}
            className="flex flex-col gap-5"
          >
            {children}
            <div className="bottom-0 -mx-4 -mb-4 flex justify-end gap-2 rounded-b-lg border-line border-t bg-surface px-4 py-3 wide:sticky wide:-mx-6 wide:-mb-6 wide:px-6 wide:py-4">
              <Button onClick={onCancel}>{t("action.cancel")}</Button>
              <Button type="submit" variant="primary" isBusy={isSaving}>
                {t("action.submit")}
              </Button>
            </div>
          </form>
        </Panel>
      </PageFrame>
    </div>
  );
};

interface FormLoadingProps {
  title: string;
  error: Error | null;
  onRetry: () => void;
}

/** Stands where a form waits for what it edits, or where that did not come. */
export const FormLoading = ({ title, error, onRetry }: FormLoadingProps) => {
  return (
    <div className="mx-auto w-full max-w-[720px]">
      <PageFrame title={title}>
        <PanelLoading error={error} onRetry={onRetry} />
      </PageFrame>
    </div>
  );
};
