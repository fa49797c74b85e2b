import { LogOut } from "lucide-react";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { Menu } from "../components/menu";

/** The dropdown under the username. */
const UserMenu = ({ trigger, onLeave }: { trigger: ReactElement; onLeave: () => void }) => {
  const { t } = useTranslation();
  return (
    <Menu
      trigger={trigger}
      entries={[
        {
          label: t("nav.logout"),
          icon: <LogOut aria-hidden className="size-4 text-ink-3" />,
          onSelect: onLeave,
        },
      ]}
    />
  );
};

export default UserMenu;
