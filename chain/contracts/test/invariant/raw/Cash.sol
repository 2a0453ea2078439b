// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Records all token transfers. Tokens that a custodian contract receives must be an announced
/// charge or a donation; tokens that it sends need an announced recipient. The first violation is
/// stored in `fault`.
abstract contract Cash {
    string public fault;

    mapping(address account => uint256) public balance;
    mapping(address custodian => bool) internal isCustodian;
    /// @dev Amounts announced in the current transaction that have not been paid or credited yet.
    mapping(address custodian => mapping(address payee => uint256)) private _owed;
    mapping(address custodian => mapping(address payee => uint256)) public credit;
    mapping(address custodian => uint256) public credits;
    mapping(address custodian => uint256) public donated;
    mapping(address custodian => uint256) private _charging;
    uint256 internal unpaid;
    uint256 internal uncharged;
    uint256 public supply;

    function _fault(string memory what) internal {
        if (bytes(fault).length == 0) fault = what;
    }

    function _require(bool condition, string memory what) internal {
        if (!condition) _fault(what);
    }

    function _expectCharge(address custodian, uint256 amount) internal {
        _charging[custodian] += amount;
        uncharged += amount;
    }

    function _promise(address custodian, address payee, uint256 amount) internal {
        _owed[custodian][payee] += amount;
        unpaid += amount;
    }

    function _move(address from, address to, uint256 amount) internal {
        if (from == address(0)) return _mint(to, amount);
        _require(to != address(0), "tokens destroyed");
        _require(balance[from] >= amount, "spent more than the balance");
        unchecked {
            balance[from] -= amount;
        }
        balance[to] += amount;
        if (isCustodian[from]) _keepPromise(from, to, amount);
        if (isCustodian[to]) _receive(to, amount);
    }

    function _mint(address to, uint256 amount) private {
        _require(supply == 0, "tokens created");
        supply += amount;
        balance[to] += amount;
    }

    function _receive(address custodian, uint256 amount) private {
        if (_charging[custodian] == 0) {
            donated[custodian] += amount;
            return;
        }
        _require(_charging[custodian] == amount, "charged a different amount than announced");
        uncharged -= _charging[custodian];
        _charging[custodian] = 0;
    }

    function _keepPromise(address custodian, address payee, uint256 amount) private {
        if (_owed[custodian][payee] < amount) return _fault("paid to an unentitled account");
        _owed[custodian][payee] -= amount;
        unpaid -= amount;
    }

    function _credit(address custodian, address payee, uint256 amount) internal {
        if (_owed[custodian][payee] < amount) return _fault("credited an unentitled account");
        _owed[custodian][payee] -= amount;
        unpaid -= amount;
        credit[custodian][payee] += amount;
        credits[custodian] += amount;
    }

    function _uncredit(address custodian, address payee, uint256 amount) internal {
        if (credit[custodian][payee] != amount) return _fault("withdrew another credit");
        credit[custodian][payee] = 0;
        credits[custodian] -= amount;
        _promise(custodian, payee, amount);
    }
}
