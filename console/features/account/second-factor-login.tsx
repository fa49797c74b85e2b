import {
  addPasskeyAtSignIn,
  beginPasskeyAtSignIn,
  beginPasskeyFactor,
  finishPasskeyFactor,
} from "@tollgate/contract/api/passkeys";
import { completeSignIn, setUpAtSignIn } from "@tollgate/contract/api/second-factor";
import type { SignInNeed } from "@tollgate/contract/api/session";
import type { User } from "@tollgate/contract/api/user";
import { KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, type ButtonProps } from "../../components/button";
import { hasListExtra } from "../../lib/status";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { useMutation } from "../../lib/use-mutation";
import { CodeForm } from "./code-form";
import { SecondFactorSetup } from "./second-factor-setup";
import { signInByPasskey } from "./sign-in-by-passkey";
import { useNewPasskey } from "./use-new-passkey";

interface SecondFactorLoginProps {
  needs: SignInNeed;
  onUser: (user: User) => void;
  /** Begins with the password again. */
  onBack: () => void;
}

const KeyButton = ({ children, ...button }: ButtonProps) => (
  <Button className="w-full" {...button}>
    <KeyRound aria-hidden className="size-4" />
    {children}
  </Button>
);

/** Asks for a passkey. @param isOnly whether nothing else completes the sign-in. */
const UsePasskey = ({ onUser, isOnly }: Pick<SecondFactorLoginProps, "onUser"> & { isOnly: boolean }) => {
  const { t } = useTranslation();
  const signIn = useMutation({
    mutationFn: () => signInByPasskey(beginPasskeyFactor, finishPasskeyFactor),
    onSuccess: onUser,
  });
  return (
    <KeyButton
      variant={isOnly ? "primary" : undefined}
      isBusy={signIn.isPending}
      onClick={() => signIn.mutate()}
    >
      {t("passkey.use")}
    </KeyButton>
  );
};

/** Offers a passkey in the place of an app. */
const AddPasskey = ({ onUser }: Pick<SecondFactorLoginProps, "onUser">) => {
  const { t } = useTranslation();
  const add = useNewPasskey(beginPasskeyAtSignIn, addPasskeyAtSignIn);
  return (
    <KeyButton isBusy={add.isPending} onClick={() => add.mutate("", { onSuccess: onUser })}>
      {t("passkey.orPasskey")}
    </KeyButton>
  );
};

/** The second step of a sign-in: a code, a passkey, or the set-up that the site requires. */
const SecondFactorLogin = ({ needs, onUser, onBack }: SecondFactorLoginProps) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const complete = useEndpoint(completeSignIn, refused);
  const back = (
    <Button variant="quiet" onClick={onBack}>
      {t("secondFactor.back")}
    </Button>
  );
  const shared = {
    isBusy: complete.isPending,
    refused,
    onCode: (code: string) => complete.mutate({ body: { code } }, { onSuccess: onUser }),
    children: back,
  };
  if (needs === "passkey")
    return (
      <>
        <p className="text-ink-2 text-sm">{t("passkey.useText")}</p>
        <UsePasskey onUser={onUser} isOnly />
        <div className="flex justify-end">{back}</div>
      </>
    );
  if (needs !== "setup")
    return (
      <>
        <CodeForm confirm={t("secondFactor.submit")} takesBackupCodes isFocused {...shared} />
        {needs === "either" && (
          <div className="border-line border-t pt-4">
            <UsePasskey onUser={onUser} isOnly={false} />
          </div>
        )}
      </>
    );
  return (
    <>
      <p role="status" className="rounded-md bg-accent-soft px-3 py-2 text-sm">
        {t("secondFactor.required")}
      </p>
      {hasListExtra("passkeys") && (
        <div className="flex flex-col gap-4 border-line border-b pb-4">
          <AddPasskey onUser={onUser} />
          <p className="text-ink-2 text-sm">{t("passkey.orApp")}</p>
        </div>
      )}
      <SecondFactorSetup begin={setUpAtSignIn} {...shared} />
    </>
  );
};

export default SecondFactorLogin;
