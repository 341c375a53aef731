"""The same folders of their own as for the tests of workflows."""

from tests.workflow.conftest import environ, repository, workflow_file

__all__ = ["environ", "repository", "workflow_file"]
