import { LogOut } from "lucide-react";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { Menu } from "../components/menu";

interface UserMenuProps {
  trigger: ReactElement;
  onLeave: () => void;
}

/** The dropdown under the username. It opens as it appears: nobody fetches its code without wanting it open. */
const UserMenu = ({ trigger, onLeave }: UserMenuProps) => {
  const { t } = useTranslation();
  return (
    <Menu
      trigger={trigger}
      isOpenAtFirst
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
