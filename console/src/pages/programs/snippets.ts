/** The script for the page that links lead to. */
export const landingSnippet = (origin: string, projectKey: string) =>
  `<script async src="${origin}/landing/v1.js" data-project="${projectKey}"></script>`;

/** The panel for pages behind the login. */
export const widgetSnippet = (origin: string, projectId: string, programId: string) =>
  `<script src="${origin}/widget/v1.js" defer></script>
<script type="module">
  ServiceWidget.init({
    projectId: '${projectId}',
    programId: '${programId}',
    getToken: () => fetch('/widget-token').then((answer) => answer.text()),
  });
</script>`;
