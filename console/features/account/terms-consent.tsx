import { useId } from "react";
import { useTranslation } from "react-i18next";
import { TermsLinks } from "../../components/terms-links";

/** The box by which a newcomer accepts the site's terms. */
export const TermsConsent = ({ error }: { error: string | undefined }) => {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-start gap-2.5 text-sm max-wide:min-h-control">
        <input
          id={id}
          type="checkbox"
          name="terms_version"
          className="mt-0.5 size-4 shrink-0 accent-accent"
          aria-invalid={error !== undefined}
          aria-describedby={error === undefined ? undefined : `${id}-note`}
        />
        <span>
          <label htmlFor={id}>{t("register.termsAccept")}</label>{" "}
          <TermsLinks opensTab className="text-accent underline underline-offset-2" />
        </span>
      </div>
      {error !== undefined && (
        <p id={`${id}-note`} className="text-red text-sm">
          {error}
        </p>
      )}
    </div>
  );
};
