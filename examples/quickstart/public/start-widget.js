// Loaded after the widget's own script, with what it needs to know in its tag: the page's policy
// forbids scripts in the page itself.
const { project, program } = document.currentScript.dataset;

window.referrals = window.ServiceWidget?.init({
  projectId: project,
  programId: program,
  async getToken() {
    const answer = await fetch('/widget-token');
    if (!answer.ok) throw new Error(`/widget-token answered ${answer.status}`);
    return answer.text();
  },
});
