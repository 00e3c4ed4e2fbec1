import { Badge, Group, Menu, Text, UnstyledButton } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDownIcon, PlusIcon } from 'lucide-react';
import { type Project, projectsQuery, useProject } from './project.ts';
import { useSession } from './session.ts';

export function EnvironmentBadge({ environment }: Pick<Project, 'environment'>) {
  return (
    <Badge variant="light" color={environment === 'live' ? 'leaf' : 'orange'} size="sm">
      {environment}
    </Badge>
  );
}

/** The current project, and a menu of the others. */
export function ProjectSwitch() {
  const here = useProject();
  const { memberships } = useSession();
  const { data: projects } = useSuspenseQuery(projectsQuery);
  return (
    <Menu position="bottom-start" width={300} shadow="md">
      <Menu.Target>
        <UnstyledButton className="project-switch">
          <img src="/console/icon.svg" alt="" width={26} height={26} />
          <Text span fw={600} truncate>
            {here.name}
          </Text>
          <span className="hide-on-phones">
            <EnvironmentBadge environment={here.environment} />
          </span>
          <span className="visually-hidden">Switch project</span>
          <ChevronDownIcon size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" className="scrolls">
        {memberships.map(({ workspaceId, workspaceName, mayAdminister }) => (
          <div key={workspaceId}>
            <Menu.Label>{workspaceName}</Menu.Label>
            {projects
              .filter((project) => project.workspaceId === workspaceId)
              .map((project) => (
                <Menu.Item
                  key={project.id}
                  component={Link}
                  to="/p/$projectId"
                  params={{ projectId: project.id } as never}
                  fw={project.id === here.id ? 700 : 400}
                >
                  <Group justify="space-between" wrap="nowrap">
                    <Text span truncate>
                      {project.name}
                    </Text>
                    <EnvironmentBadge environment={project.environment} />
                  </Group>
                </Menu.Item>
              ))}
            {mayAdminister && (
              <Menu.Item
                component={Link}
                to="/new-project"
                search={{ workspaceId } as never}
                leftSection={<PlusIcon size={16} />}
              >
                New project
              </Menu.Item>
            )}
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
