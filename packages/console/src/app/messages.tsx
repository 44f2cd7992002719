import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

/** Shows messages in the corner (`notifications.show` of `@mantine/notifications`). */
export function Messages(): ReactNode {
  return <Notifications position="bottom-right" />;
}
