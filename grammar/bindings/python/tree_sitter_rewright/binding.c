#include <Python.h>

typedef struct TSLanguage TSLanguage;

const TSLanguage *tree_sitter_rewright(void);

static PyObject *binding_language(PyObject *Py_UNUSED(self), PyObject *Py_UNUSED(arguments)) {
    return PyCapsule_New((void *)tree_sitter_rewright(), "tree_sitter.Language", NULL);
}

static PyMethodDef methods[] = {
    {"language", binding_language, METH_NOARGS, "Get the tree-sitter language of Rewright."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef_Slot slots[] = {
#ifdef Py_GIL_DISABLED
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, NULL},
};

static struct PyModuleDef module = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "_binding",
    .m_doc = NULL,
    .m_size = 0,
    .m_methods = methods,
    .m_slots = slots,
};

PyMODINIT_FUNC PyInit__binding(void) {
    return PyModuleDef_Init(&module);
}
