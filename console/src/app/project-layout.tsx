import { AppShell, Badge, Burger, Group, NavLink, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { SearchIcon } from 'lucide-react';
import { lazy, Suspense, useEffect } from 'react';
import { countOf } from '../ui/words.ts';
import { AccountMenu } from './account-menu.tsx';
import { attentionQuery, sayWaiting } from './attention.ts';
import { RoutePending } from './frames.tsx';
import { placesFor } from './navigation.ts';
import { useProject } from './project.ts';
import { ClockOffset, useClockOffset } from './project-clock.ts';
import { ProjectSwitch } from './project-switch.tsx';
import { RestoreNote } from './restore-note.tsx';
import { SecondFactorNote } from './second-factor-note.tsx';
import { useMembership } from './session.ts';

/** Loaded on the first search. */
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

/** The frame around every page of a project. */
export function ProjectLayout() {
  const project = useProject();
  const membership = useMembership(project.workspaceId);
  const isSandbox = project.environment === 'sandbox';
  const { data: waiting = [] } = useQuery(attentionQuery(project.id));
  const clockOffset = useClockOffset();
  const [isOpen, { toggle, close }] = useDisclosure();
  const [isFinding, { open: find, close: stopFinding }] = useDisclosure();
  useHotkeys([['/', find]]);
  // Nobody types this into a field, so it works everywhere.
  useHotkeys([['mod+K', find]], [], true);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when the page changes
  useEffect(close, [pathname]);

  return (
    <AppShell
      header={{ height: isSandbox ? 84 : 56 }}
      navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', sm: 'xl' }}
    >
      <a className="skip-link" href="#main">
        Skip to the page
      </a>
      <AppShell.Header>
        <Group h={56} px="md" gap="sm" wrap="nowrap" justify="space-between">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
            <ProjectSwitch />
          </Group>
          <Group gap="sm" wrap="nowrap">
            <UnstyledButton className="find-button" onClick={find} aria-label="Find… Ctrl K">
              <SearchIcon size={16} />
              <Text span size="sm" visibleFrom="sm">
                Find…
              </Text>
              <kbd className="hide-on-phones">Ctrl K</kbd>
            </UnstyledButton>
            <AccountMenu />
          </Group>
        </Group>
        {isSandbox && (
          <div className="sandbox-bar" role="note">
            Sandbox: nothing here is real money
            <span className="hide-on-phones">{sayAhead(clockOffset)}</span>
          </div>
        )}
      </AppShell.Header>
      <AppShell.Navbar p="xs">
        <div className="scrolls">
          <nav aria-label="Project">
            {placesFor({ membership, isSandbox }).map(({ title, places }) => (
              <div key={title ?? ''}>
                {title && (
                  <Text size="xs" fw={600} c="dimmed" px="sm" pt="md" pb={4}>
                    {title}
                  </Text>
                )}
                {places.map(({ to, label, icon: Icon, counts }) => {
                  const path = to.replace('$projectId', project.id);
                  const count = counts && sayWaiting(waiting, counts);
                  const isHere =
                    pathname === path || (label !== 'Home' && pathname.startsWith(`${path}/`));
                  return (
                    <NavLink
                      key={to}
                      component={Link}
                      to={to}
                      params={{ projectId: project.id } as never}
                      label={label}
                      leftSection={<Icon size={18} />}
                      rightSection={count && <NavCount>{count}</NavCount>}
                      activeOptions={{ exact: true }}
                      active={isHere}
                      aria-current={isHere ? 'page' : undefined}
                      className="place"
                    />
                  );
                })}
              </div>
            ))}
          </nav>
        </div>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        <div className="page">
          <RestoreNote />
          <SecondFactorNote />
          <Suspense fallback={<RoutePending />}>
            <ClockOffset.Provider value={clockOffset}>
              <Outlet />
            </ClockOffset.Provider>
          </Suspense>
        </div>
      </AppShell.Main>
      {isFinding && (
        <Suspense>
          <Palette onClose={stopFinding} />
        </Suspense>
      )}
    </AppShell>
  );
}

function NavCount({ children }: { children: string }) {
  return (
    <Badge variant="light" color="orange" size="sm" circle={children.length === 1}>
      {children}
      <span className="visually-hidden"> open</span>
    </Badge>
  );
}

const HOUR_MS = 3_600_000;

function sayAhead(offsetMs: number): string {
  if (offsetMs === 0) return '';
  const hours = Math.max(1, Math.round(offsetMs / HOUR_MS));
  return ` · clock ${hours < 48 ? countOf(hours, 'hour') : countOf(Math.round(hours / 24), 'day')} ahead`;
}
