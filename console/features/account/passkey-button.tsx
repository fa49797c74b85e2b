import type { User } from "@tollgate/contract/api/user";
import { KeyRound } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { useMutation } from "../../lib/use-mutation";

/** Signs in with a passkey alone. Its code is loaded with the first click. */
export const PasskeyButton = ({ onUser }: { onUser: (user: User) => void }) => {
  const { t } = useTranslation();
  const signIn = useMutation({
    mutationFn: async () => (await import("./sign-in-by-passkey")).signInByPasskey(),
    onSuccess: onUser,
  });
  return (
    <Button className="w-full" isBusy={signIn.isPending} onClick={() => signIn.mutate()}>
      <KeyRound aria-hidden className="size-4" />
      {t("passkey.login")}
    </Button>
  );
};
