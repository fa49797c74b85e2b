import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { TextField } from "../../components/text-field";
import type { Mistakes } from "../../lib/use-mistakes";

interface CodeFormProps {
  /** Label of its button. */
  confirm: string;
  /** Whether a backup code counts as well. */
  takesBackupCodes?: boolean;
  isBusy: boolean;
  isDanger?: boolean;
  /** Whether its field takes the focus: the page asks for nothing else. */
  isFocused?: boolean;
  refused: Mistakes;
  onCode: (code: string) => void;
  /** Beside the button. */
  children?: ReactNode;
}

const takeFocus = (field: HTMLInputElement | null): void => field?.focus();

/** Asks for a code of the authenticator app. */
export const CodeForm = ({
  confirm,
  takesBackupCodes,
  isBusy,
  isDanger,
  isFocused,
  refused,
  onCode,
  children,
}: CodeFormProps) => {
  const { t } = useTranslation();
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        refused.begin(event.currentTarget);
        const code = String(new FormData(event.currentTarget).get("code")).trim();
        if (code !== "") onCode(code);
      }}
    >
      <TextField
        label={t("secondFactor.code")}
        hint={takesBackupCodes ? t("secondFactor.codeHint") : t("secondFactor.appHint")}
        ref={isFocused ? takeFocus : undefined}
        name="code"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        inputMode={takesBackupCodes ? "text" : "numeric"}
        maxLength={100}
        required
        error={refused.of("code")}
      />
      <div className="flex flex-wrap-reverse items-center justify-end gap-2">
        {children}
        <Button type="submit" variant={isDanger ? "danger" : "primary"} isBusy={isBusy}>
          {confirm}
        </Button>
      </div>
    </form>
  );
};
