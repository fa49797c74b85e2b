import { completeSignIn, setUpAtSignIn } from "@tollgate/contract/api/second-factor";
import type { SignInNeed } from "@tollgate/contract/api/session";
import type { User } from "@tollgate/contract/api/user";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { CodeForm } from "./code-form";
import { SecondFactorSetup } from "./second-factor-setup";

interface SecondFactorLoginProps {
  needs: SignInNeed;
  onUser: (user: User) => void;
  /** Begins with the password again. */
  onBack: () => void;
}

/** The second step of a sign-in: a code, or the set-up that the site requires. */
const SecondFactorLogin = ({ needs, onUser, onBack }: SecondFactorLoginProps) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const complete = useEndpoint(completeSignIn, refused);
  const shared = {
    isBusy: complete.isPending,
    refused,
    onCode: (code: string) => complete.mutate({ body: { code } }, { onSuccess: onUser }),
    children: (
      <Button variant="quiet" onClick={onBack}>
        {t("secondFactor.back")}
      </Button>
    ),
  };
  if (needs === "code")
    return <CodeForm confirm={t("secondFactor.submit")} takesBackupCodes isFocused {...shared} />;
  return (
    <>
      <p role="status" className="rounded-md bg-accent-soft px-3 py-2 text-sm">
        {t("secondFactor.required")}
      </p>
      <SecondFactorSetup begin={setUpAtSignIn} {...shared} />
    </>
  );
};

export default SecondFactorLogin;
